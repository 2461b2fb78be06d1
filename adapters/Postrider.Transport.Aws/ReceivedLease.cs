using Amazon.SQS.Model;

namespace Postrider.Transport.Aws;

/// <summary>A message that this process has received and not settled.</summary>
internal sealed class ReceivedLease(Message message, long renewedAt)
{
    private volatile bool _isDeleting;

    internal Message Message => message;

    /// <summary>The start of its current lease: a timestamp.</summary>
    internal long RenewedAt { get; set; } = renewedAt;

    /// <summary>Whether a request to delete it is pending: then a renewal may find it deleted.</summary>
    internal bool IsDeleting
    {
        get => _isDeleting;
        set => _isDeleting = value;
    }
}
