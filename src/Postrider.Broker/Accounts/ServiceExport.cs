namespace Postrider.Broker.Accounts;

/// <summary>A service that an account offers to others, combined from all its exports of that subject.</summary>
/// <param name="Account">The exporting account's name.</param>
/// <param name="Subject">The subject or pattern.</param>
/// <param name="ResponseType">How many messages make up a response.</param>
/// <param name="ResponseThreshold">The time after which an unanswered request is forgotten.</param>
/// <param name="Latency">Measures the responses; null for no measurement.</param>
/// <param name="AllowTrace">Whether traces of requests continue in the exporting account.</param>
internal sealed record ServiceExport(
    string Account, string Subject, ServiceResponseType ResponseType, TimeSpan ResponseThreshold, ServiceLatencyOptions? Latency, bool AllowTrace = false);
