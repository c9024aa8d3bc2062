/*{
  "DESCRIPTION": "A glowing floor that runs to the horizon",
  "CREDIT": "Submix",
  "ISFVSN": "2",
  "CATEGORIES": ["Generator"],
  "INPUTS": [
    {"NAME": "speed", "LABEL": "Speed", "TYPE": "float", "DEFAULT": 1.0, "MIN": -6.0, "MAX": 6.0},
    {"NAME": "horizon", "LABEL": "Height of the horizon", "TYPE": "float", "DEFAULT": 0.55, "MIN": 0.1, "MAX": 0.95},
    {"NAME": "glow", "LABEL": "Glow", "TYPE": "float", "DEFAULT": 0.06, "MIN": 0.01, "MAX": 0.3},
    {"NAME": "line", "LABEL": "Colour of the lines", "TYPE": "color", "DEFAULT": [1.0, 0.1, 0.9, 1.0]},
    {"NAME": "sky", "LABEL": "Colour of the sky", "TYPE": "color", "DEFAULT": [0.05, 0.0, 0.15, 1.0]}
  ]
}*/
void main() {
  vec2 at = isf_FragNormCoord;
  float below = horizon - at.y;
  float fade = smoothstep(0.0, 0.25, below);
  float far = 0.35 / max(below, 0.001);
  vec2 floor_at = vec2((at.x - 0.5) * far * 4.0, far * 2.0 + TIME * speed);
  vec2 away = abs(fract(floor_at + 0.5) - 0.5);
  float lines = glow / (min(away.x, away.y) + glow * 0.3) * 0.3;
  vec3 ground = line.rgb * lines * fade;
  vec3 dusk = mix(line.rgb * 0.6, sky.rgb, smoothstep(0.0, 0.35, -below));
  gl_FragColor = vec4(below > 0.0 ? clamp(ground + sky.rgb * 0.4, 0.0, 1.0) : dusk, 1.0);
}
