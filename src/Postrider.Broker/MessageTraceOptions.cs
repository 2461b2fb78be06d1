namespace Postrider.Broker;

/// <summary>Where traces of messages go to that carry the header <c>traceparent</c> of W3C's Trace Context.</summary>
/// <param name="Destination">The subject in the account that the traces are published to; without wildcards.</param>
/// <param name="SamplingPercent">How many of these messages of clients are traced, in percent, 1 to 100. Messages from other servers are traced
/// where the first server decided so.</param>
/// <remarks>Immutable. Source: nats-server's <c>msg_trace</c> of accounts.</remarks>
public sealed record MessageTraceOptions(string Destination, int SamplingPercent = 100);
