namespace Postrider.Broker;

/// <summary>Measures how long the responses of an exported service take.</summary>
/// <param name="Subject">The subject of the exporting account to which each measurement is published.</param>
/// <param name="SamplingPercent">Share of the requests that are measured in percent, 1 to 100; zero measures those whose
/// tracing headers ask for it.</param>
public sealed record ServiceLatencyOptions(string Subject, int SamplingPercent = 100);
