namespace Postrider.Client;

/// <summary>Error codes of JetStream that programs commonly handle. Source: nats-server, its list of JetStream errors.</summary>
public static class JetStreamErrors
{
    /// <summary>A consumer of another kind already has the name.</summary>
    public const int ConsumerNameExists = 10013;

    /// <summary>The consumer does not exist.</summary>
    public const int ConsumerNotFound = 10014;

    /// <summary>A message with that id is being stored at the moment: retry to get its sequence.</summary>
    public const int DuplicateInProcess = 10158;

    /// <summary>The message does not exist.</summary>
    public const int MessageNotFound = 10037;

    /// <summary>JetStream is not enabled for the account.</summary>
    public const int NotEnabledForAccount = 10039;

    /// <summary>A stream with that name and a different configuration already exists.</summary>
    public const int StreamNameInUse = 10058;

    /// <summary>The stream does not exist.</summary>
    public const int StreamNotFound = 10059;

    /// <summary>The publish expected a different stream.</summary>
    public const int WrongStream = 10060;

    /// <summary>The publish expected a different last message id.</summary>
    public const int WrongLastMessageId = 10070;

    /// <summary>The publish expected a different last sequence.</summary>
    public const int WrongLastSequence = 10071;

    /// <summary>The stream is full and rejects new messages.</summary>
    public const int StoreFailed = 10077;

    /// <summary>JetStream is not enabled on the server.</summary>
    public const int NotEnabled = 10076;

    /// <summary>The consumer already exists with a different configuration.</summary>
    public const int ConsumerExists = 10148;

    /// <summary>The consumer to update does not exist.</summary>
    public const int ConsumerDoesNotExist = 10149;

    /// <summary>The publish expected a different last sequence; the server does not report the current one.</summary>
    public const int WrongLastSequenceConstant = 10164;
}
