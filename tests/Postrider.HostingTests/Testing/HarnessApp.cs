using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Postrider.Dispatch;
using Postrider.HostingTests.Dispatch;
using Postrider.Serialization;
using Postrider.Testing;
using Postrider.Transports;

namespace Postrider.HostingTests.Testing;

/// <summary>An application with the transport <c>orders</c> under the harness.</summary>
internal sealed class HarnessApp : IAsyncDisposable
{
    private readonly IHost _host;

    private HarnessApp(IHost host) => _host = host;

    internal static JsonSerializerProvider Json { get; } = new(OrdersJson.Default);

    internal IServiceProvider Services => _host.Services;

    internal TestHarness Harness => _host.Services.GetRequiredService<TestHarness>();

    internal IDispatcher Dispatcher => _host.Services.GetRequiredService<IDispatcher>();

    internal OrderNotes Notes => _host.Services.GetRequiredService<OrderNotes>();

    internal static async Task<HarnessApp> StartAsync(Action<DispatchOptions> configure, Action<TransportBuilder> bind, TestHarnessOptions? options = null, ISerializerProvider? serializers = null)
    {
        var builder = Host.CreateApplicationBuilder();
        builder.Services.AddSingleton<OrderNotes>();
        bind(builder.Services.AddPostriderTransport("orders", static _ => throw new InvalidOperationException("The harness replaces this transport."), serializers ?? Json));
        builder.Services.AddPostrider(configure);
        builder.Services.AddPostriderTestHarness(options);
        var host = builder.Build();
        await host.StartAsync(TestContext.Current.CancellationToken);
        return new HarnessApp(host);
    }

    public async ValueTask DisposeAsync()
    {
        await _host.StopAsync(CancellationToken.None);
        _host.Dispose();
    }
}
