namespace Postrider.Client.Hosting;

/// <summary>One thing that must exist.</summary>
/// <param name="What">What it is, for people: the beginning of a sentence.</param>
/// <param name="Run">Creates or updates it.</param>
internal sealed record ProvisioningStep(string What, Func<NatsClient, CancellationToken, Task> Run);
