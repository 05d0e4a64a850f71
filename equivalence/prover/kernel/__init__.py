"""The steps of a proof. Soundness rests on each of them, so each says why it is right, and `proofs/coq` proves it.

In the order in which a proof of left = right meets them (`kernel.ProofKernel.equal`):

1. LIN writes both sides as sums of products (`terms.normal_form.expanded`).
2. `existence` simplifies the formulas in each product; then the first step of `steps.KernelSteps` that applies replaces
   it, until none does. `differences` and `latest` hold the steps on monus and min, and on what comes last.
3. CONG matches the products of both sides; where they match, it is enough that what they sum is equal.
4. `sums_as_constants` replaces the sums that are left by constants, by one constant where two sums were proved equal.
5. The leaf is tried in three ways, the cheapest first: existence as an unknown truth, existence as it is, and with all
   `facts` about the constants (`kernel.ProofKernel.valid`).
"""
