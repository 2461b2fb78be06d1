using Postrider.Client.JetStream.Models;

namespace Postrider.Client.Hosting;

/// <summary>One object that must exist.</summary>
/// <param name="What">Its description: the beginning of a sentence.</param>
/// <param name="Run">Creates or updates it.</param>
internal sealed record ProvisioningStep(string What, Func<NatsClient, CancellationToken, Task> Run)
{
    /// <summary>The stream whose subjects may overlap with another one's; null for other objects.</summary>
    public StreamConfig? Stream { get; init; }
}
