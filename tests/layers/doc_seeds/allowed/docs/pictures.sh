picture pages/made.png --leaks
