using Postrider.Client.JetStream.Models;

namespace Postrider.Client.JetStream.Publishing;

/// <summary>A stream's reply to a publish.</summary>
internal readonly record struct PubAckReply(PublishAck Ack, ApiError? Error)
{
    /// <summary>The error as an exception.</summary>
    public JetStreamException ToException(string subject) => new(Error!.Code, Error.ErrorCode, Error.Description ?? "", $"Publish to '{subject}'");
}
