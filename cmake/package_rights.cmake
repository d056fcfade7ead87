# CPack runs this before it packs: folders get the usual permissions whatever the umask of the user who builds the
# package.
file(GLOB tops ${CPACK_TEMPORARY_DIRECTORY}/*)
file(CHMOD_RECURSE ${tops} DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
