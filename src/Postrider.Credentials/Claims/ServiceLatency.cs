namespace Postrider.Credentials;

/// <summary>The measuring of a service's latency.</summary>
/// <param name="Sampling">The percentage of requests that is measured, from 1 to 100; 0 measures those whose headers request it.</param>
/// <param name="Results">The subject on which the measurements are published.</param>
public sealed record ServiceLatency(int Sampling, string Results);
