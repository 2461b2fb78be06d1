namespace Postrider.Client;

/// <summary>Numbers of JetStream's errors that programs decide by. Source: nats-server, errors.json.</summary>
public static class JetStreamErrors
{
    /// <summary>The consumer's name is taken by one of another kind.</summary>
    public const int ConsumerNameExists = 10013;

    /// <summary>There is no such consumer.</summary>
    public const int ConsumerNotFound = 10014;

    /// <summary>A message of that id is being stored just now: ask again to hear of its place.</summary>
    public const int DuplicateInProcess = 10158;

    /// <summary>There is no such message.</summary>
    public const int MessageNotFound = 10037;

    /// <summary>JetStream is not enabled for the account.</summary>
    public const int NotEnabledForAccount = 10039;

    /// <summary>A stream of that name and another configuration is there already.</summary>
    public const int StreamNameInUse = 10058;

    /// <summary>There is no such stream.</summary>
    public const int StreamNotFound = 10059;

    /// <summary>The publish expected another stream.</summary>
    public const int WrongStream = 10060;

    /// <summary>The publish expected another last message id.</summary>
    public const int WrongLastMessageId = 10070;

    /// <summary>The publish expected another last sequence.</summary>
    public const int WrongLastSequence = 10071;

    /// <summary>A stream is full and refuses new messages.</summary>
    public const int StoreFailed = 10077;

    /// <summary>JetStream is not enabled on the server.</summary>
    public const int NotEnabled = 10076;

    /// <summary>The consumer is there already with another configuration.</summary>
    public const int ConsumerExists = 10148;

    /// <summary>There is no such consumer to update.</summary>
    public const int ConsumerDoesNotExist = 10149;

    /// <summary>The publish expected another last sequence; the server does not say which.</summary>
    public const int WrongLastSequenceConstant = 10164;
}
