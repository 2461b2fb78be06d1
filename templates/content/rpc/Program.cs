using System.Net;
using Postrider.Rpc;
using Postrider.Rpc.Hosting;
using PostriderRpc;

var codec = new RpcJsonCodec(options: GreeterJson.Default.Options);

// dotnet run -- ask NAME [ADDRESS]: calls the service.
if (args is ["ask", var name, .. var rest])
{
    await using var channel = new SocketChannel(IPEndPoint.Parse(rest is [var server, ..] ? server : "127.0.0.1:5090"), codec);
    Console.WriteLine((await new GreeterClient(channel).GreetAsync(new Guest(name))).Text);
    return;
}

if (args is [var first, ..] && !first.StartsWith('-'))
{
    Console.Error.WriteLine($"Unknown arguments '{string.Join(' ', args)}'. Use 'ask NAME [ADDRESS]' to call the service, or no argument to serve it.");
    Environment.ExitCode = 2;
    return;
}

var builder = Host.CreateApplicationBuilder(args);
builder.Services.AddRpcCodec(codec);
builder.Services.AddRpcService<IGreeter, Greeter>();
builder.Services.AddRpcSocketServer(IPEndPoint.Parse(builder.Configuration["Listen"] ?? "127.0.0.1:5090"));
using var host = builder.Build();
await host.StartAsync();
Console.WriteLine($"Greeting at {host.Services.GetRequiredService<RpcSocketServerService>().Server.EndPoint}");
await host.WaitForShutdownAsync();
