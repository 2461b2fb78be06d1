using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using Postrider.Configuration;

namespace Postrider.Rpc.Hosting.Channels;

/// <summary>Creates a channel before the host starts its services, so that wrong settings fail the start instead of the first call.</summary>
internal sealed partial class ChannelCheck(IServiceProvider services, string name, AddedChannels added) : IHostedLifecycleService
{
    public Task StartingAsync(CancellationToken cancellationToken)
    {
        // Once for all channels: another process may share the configuration and use those that this one does not.
        if (name == added.Names[0] && services.GetService<IConfiguration>() is { } configuration)
        {
            RootSection.Check(configuration);
            foreach (var unused in configuration.GetSection(RpcClientServiceCollectionExtensions.SectionName).GetChildren())
            {
                if (added.Names.Contains(unused.Key, StringComparer.OrdinalIgnoreCase))
                    continue;
                var hint = Suggestion.For(unused.Key, added.Names) is { } meant ? $"Did you mean '{meant}'?" : $"Channels: {string.Join(", ", added.Names)}.";
                LogUnused(services.GetService<ILogger<ChannelCheck>>() ?? NullLogger<ChannelCheck>.Instance, unused.Path, hint);
            }
        }

        services.GetRequiredKeyedService<RpcChannel>(name);
        return Task.CompletedTask;
    }

    public Task StartAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StartedAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StoppingAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StoppedAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    [LoggerMessage(1, LogLevel.Warning, "{Section} is not used: no RPC channel with this name was added. {Hint}")]
    private static partial void LogUnused(ILogger logger, string section, string hint);
}
