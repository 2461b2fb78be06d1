using Postrider;
using Postrider.AspNetCore;
using Postrider.Middleware;
using PostriderWeb;

var builder = WebApplication.CreateSlimBuilder(args);

// Handlers are found at compile time.
builder.Services.AddSingleton<Orders>();
builder.Services.AddPostrider(options => options.ValidateOnStart = true);
builder.Services.AddValidator<PlaceOrder>(Orders.Validate);
builder.Services.ConfigureHttpJsonOptions(options => options.SerializerOptions.TypeInfoResolverChain.Insert(0, MessagesJson.Default));
builder.Services.AddPostriderExceptionHandler();
builder.Services.AddHealthChecks();

var app = builder.Build();
app.UseExceptionHandler();
app.MapPost<PlaceOrder, Receipt>("/orders");
app.MapHealthChecks("/health");
await app.RunAsync();
