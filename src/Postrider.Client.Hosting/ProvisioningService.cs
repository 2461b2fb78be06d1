using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Postrider.Client.JetStream.Models;

namespace Postrider.Client.Hosting;

/// <summary>Creates missing streams, consumers and buckets after the client has connected and before services start.</summary>
internal sealed class ProvisioningService(NatsClient client, StreamProvisioning needed, ILoggerFactory? loggers) : IHostedLifecycleService
{
    // The server's error "subjects overlap with an existing stream".
    private const int SubjectOverlap = 10065;

    private readonly ILogger _logger = HostLog.Create(loggers);

    public async Task StartingAsync(CancellationToken cancellationToken)
    {
        // The server may come later: until then its answer would be a time-out.
        if (client.Options.RetryFirstConnect)
            await client.FlushAsync(cancellationToken).ConfigureAwait(false);
        foreach (var step in needed.Steps)
        {
            try
            {
                await step.Run(client, cancellationToken).ConfigureAwait(false);
                HostLog.Provisioned(_logger, step.What);
            }
            catch (NatsClientException failure)
            {
                var overlap = step.Stream is { } stream && failure is JetStreamException { ErrorCode: SubjectOverlap } ? await DescribeOverlapAsync(stream, cancellationToken).ConfigureAwait(false) : "";
                throw new NatsClientException(failure.Code, $"{step.What} could not be provisioned: {failure.Message}{overlap}{AdviceFor(failure)}", failure);
            }
        }
    }

    private static string AdviceFor(NatsClientException failure) => failure.Code == NatsErrorCode.PermissionDenied
        ? " The user of the client may not create it: give it the permission, or leave AddPostriderStreams out where the deployment creates streams."
        : "";

    // The server does not say which stream is in the way.
    private async Task<string> DescribeOverlapAsync(StreamConfig stream, CancellationToken ct)
    {
        var asked = $". It asks for {string.Join(", ", (stream.Subjects ?? []).Select(static subject => $"'{subject}'"))}";
        try
        {
            foreach (var subject in stream.Subjects ?? [])
            {
                await foreach (var other in client.CreateJetStreamContext().ListStreamNamesAsync(subject, ct).ConfigureAwait(false))
                {
                    if (other != stream.Name)
                        return $"{asked}, and the stream '{other}' already has subjects that overlap with '{subject}'. Change the subjects of one of them.";
                }
            }
        }
        catch (NatsClientException)
        {
            // The error of the stream is the one to report.
        }

        return $"{asked}.";
    }

    public Task StartAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StartedAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StoppingAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StoppedAsync(CancellationToken cancellationToken) => Task.CompletedTask;
}
