using Amazon.SQS.Model;

namespace Postrider.Transport.Aws;

/// <summary>A message that this process has received and not settled.</summary>
internal sealed class ReceivedLease(Message message, long renewedAt)
{
    internal Message Message => message;

    /// <summary>The start of its current lease: a timestamp.</summary>
    internal long RenewedAt { get; set; } = renewedAt;
}
