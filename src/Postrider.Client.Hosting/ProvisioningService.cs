using Microsoft.Extensions.Hosting;

namespace Postrider.Client.Hosting;

/// <summary>Creates missing streams, consumers and buckets after the client has connected and before services start.</summary>
internal sealed class ProvisioningService(NatsClient client, StreamProvisioning needed) : IHostedLifecycleService
{
    public async Task StartingAsync(CancellationToken cancellationToken)
    {
        foreach (var step in needed.Steps)
        {
            try
            {
                await step.Run(client, cancellationToken).ConfigureAwait(false);
            }
            catch (NatsClientException failure)
            {
                throw new NatsClientException(failure.Code, $"{step.What} could not be provisioned: {failure.Message}", failure);
            }
        }
    }

    public Task StartAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StartedAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StoppingAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StoppedAsync(CancellationToken cancellationToken) => Task.CompletedTask;
}
