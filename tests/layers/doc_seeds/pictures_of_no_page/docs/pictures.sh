picture shown.png
picture pages/made.png
