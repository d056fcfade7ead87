-- The frames of a stack, innermost first, and whether each is the owner.
--   :stack           key of the stack: x'00112233445566778899aabbccddeeff'
SELECT f.name, f.id = s.owner
FROM stacks s JOIN stack_frames sf ON sf.stack = s.id JOIN frames f ON f.id = sf.frame
WHERE s.key = :stack
ORDER BY sf.position
