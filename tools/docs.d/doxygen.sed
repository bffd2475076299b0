# names of MJCF elements in comments are no HTML
/^ *\/\/\//s/<\([a-z]*\)>/\\<\1\\>/g
