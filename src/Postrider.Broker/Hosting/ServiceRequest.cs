namespace Postrider.Broker.Hosting;

/// <summary>A request to one of the system account's services, copied from its message.</summary>
/// <param name="Subject">The subject.</param>
/// <param name="ReplyTo">The reply subject; empty for none.</param>
/// <param name="Headers">The header block; empty for none.</param>
/// <param name="Payload">The payload.</param>
internal sealed record ServiceRequest(string Subject, string ReplyTo, byte[] Headers, byte[] Payload);
