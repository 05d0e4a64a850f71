"""The commands of `snapeq`, one module each; what a command needs is imported when it runs."""
