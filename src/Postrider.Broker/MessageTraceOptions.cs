namespace Postrider.Broker;

/// <summary>Where traces are sent of messages with the header <c>traceparent</c> of W3C's Trace Context.</summary>
/// <param name="Destination">The subject in the account to which the traces are published; without wildcards.</param>
/// <param name="SamplingPercent">How many of these messages from clients are traced, in percent, 1 to 100. Messages from other servers are traced
/// if the first server decided so.</param>
/// <remarks>Immutable. Source: nats-server's <c>msg_trace</c> of accounts.</remarks>
public sealed record MessageTraceOptions(string Destination, int SamplingPercent = 100);
