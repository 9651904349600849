var a = 1 #disable-next-line x

var f = g#disable-next-line x
 . h [ 0 ] .? i
