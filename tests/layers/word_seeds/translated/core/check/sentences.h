const char* kSentences[] = {
    "The profile was written "
    "at the end without what was freed before.",
    "Of all stacks, when the run ended.",
    "Stop after so many MB",
    "The build {} is mended.",
    "Older blocks are let go.",
    "The snapshot was taken {} s after its begin.",
};
