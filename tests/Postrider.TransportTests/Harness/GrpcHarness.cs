using System.Net;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Postrider.Serialization;
using Postrider.Transport.Grpc;
using Postrider.Transports;

namespace Postrider.TransportTests.Harness;

/// <summary>An inbox behind Kestrel, over a socket that tests can cut; the transport sends to itself.</summary>
public sealed class GrpcHarness : TransportHarness
{
    private WebApplication _app = null!;
    private TcpRelay _relay = null!;

    public override ITransport Transport => Grpc;

    public override int MaxCountedReturns => 0;

    public override bool SendersWait => true;

    public override bool HasCopies => false;

    public override bool ListsDeadLetters => false;

    internal GrpcTransport Grpc { get; private set; } = null!;

    internal Uri Address => new($"http://127.0.0.1:{_relay.Port}");

    public override async ValueTask InitializeAsync()
    {
        _relay = new TcpRelay(() => new Uri(_app.Urls.Single()).Port);
        var builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.WebHost.ConfigureKestrel(static kestrel => kestrel.Listen(IPAddress.Loopback, 0, static listen => listen.Protocols = HttpProtocols.Http2));
        builder.Services.AddPostrider();
        builder.Services.AddGrpcTransport("inbox", TextSerializerProvider.Instance, Configure);
        _app = builder.Build();
        _app.Use(static (context, next) =>
        {
            if (context.Request.Headers.Authorization != "Bearer wrong")
                return next(context);
            context.Response.StatusCode = StatusCodes.Status401Unauthorized;
            return Task.CompletedTask;
        });
        _app.MapGrpcTransport("inbox");
        await _app.StartAsync();
        Grpc = (GrpcTransport)_app.Services.GetRequiredKeyedService<ITransport>("inbox");
    }

    public override async ValueTask DisposeAsync()
    {
        await Grpc.DisposeAsync();
        await _app.DisposeAsync();
        await _relay.DisposeAsync();
    }

    public override ValueTask<ITransport> OpenAsync()
    {
        var options = new GrpcOptions();
        Configure(options);
        return new(new GrpcTransport(options));
    }

    public override ValueTask<ITransport?> OpenNowhereAsync() => new(new GrpcTransport(new() { Address = new Uri($"http://127.0.0.1:{FreePort.Find()}") }));

    public override (ITransport Transport, Action<bool> Decide)? OpenWithCredentials()
    {
        var token = "right";
        var options = new GrpcOptions();
        Configure(options);
        options.Retry.RefusedPause = TimeSpan.Zero;
        options.Security.Token = _ => new(Volatile.Read(ref token));
        return (new GrpcTransport(options), isRight => Volatile.Write(ref token, isRight ? "right" : "wrong"));
    }

    public override ValueTask CreateAsync(string name) => default;

    public override ValueTask DeleteAsync(string name) => default;

    public override AtLeastOnceBinding Binding(string source) => new GrpcBinding(source) { Retry = Quick };

    public override ValueTask<(string Destination, AtLeastOnceBinding First, AtLeastOnceBinding Second)> TwoGroupsAsync()
    {
        var name = NewName();
        return new((name, Binding(name) with { Group = "first" }, Binding(name) with { Group = "second" }));
    }

    public override void Cut() => _relay.Cut();

    private void Configure(GrpcOptions options)
    {
        options.Address = Address;
        options.Retry.MaxPause = TimeSpan.FromMilliseconds(200);
        options.Poison.MaxBodyBytes = 256 * 1024;
    }
}
