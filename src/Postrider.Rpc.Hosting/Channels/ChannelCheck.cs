using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;

namespace Postrider.Rpc.Hosting.Channels;

/// <summary>Creates a channel before the host starts its services, so that wrong settings fail the start instead of the first call.</summary>
internal sealed class ChannelCheck(IServiceProvider services, string name) : IHostedLifecycleService
{
    public Task StartingAsync(CancellationToken cancellationToken)
    {
        services.GetRequiredKeyedService<RpcChannel>(name);
        return Task.CompletedTask;
    }

    public Task StartAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StartedAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StoppingAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StoppedAsync(CancellationToken cancellationToken) => Task.CompletedTask;
}
