using Confluent.Kafka;

namespace Postrider.Transport.Kafka;

/// <summary>Converts the client's errors to exceptions that name the solution.</summary>
internal static class KafkaErrors
{
    internal static bool IsUnknownTopic(ErrorCode code)
        => code is ErrorCode.Local_UnknownTopic or ErrorCode.UnknownTopicOrPart or ErrorCode.Local_UnknownPartition;

    /// <summary>Whether the servers reject the account or the account lacks a permission.</summary>
    internal static bool IsRejected(ErrorCode code)
        => code is ErrorCode.Local_Authentication or ErrorCode.SaslAuthenticationFailed or ErrorCode.Local_Ssl or ErrorCode.UnsupportedSaslMechanism
            or ErrorCode.IllegalSaslState or ErrorCode.TopicAuthorizationFailed or ErrorCode.GroupAuthorizationFailed or ErrorCode.ClusterAuthorizationFailed;

    /// <summary>Whether a commit failed because the group was rebalancing: the offsets are committed later by the partition's next
    /// owner.</summary>
    internal static bool IsRebalance(ErrorCode code)
        => code is ErrorCode.RebalanceInProgress or ErrorCode.IllegalGeneration or ErrorCode.UnknownMemberId or ErrorCode.Local_State or ErrorCode.Local_NoOffset;

    /// <summary>Why a send failed.</summary>
    /// <param name="error">The error of the delivery report.</param>
    /// <param name="status">Whether the message may be stored.</param>
    /// <param name="topic">The topic.</param>
    /// <param name="connection">Records whether the servers reject the account.</param>
    internal static Exception OfSend(Error error, PersistenceStatus status, string topic, KafkaConnection connection)
    {
        var cause = new KafkaException(error);
        if (IsUnknownTopic(error.Code))
            return new PostriderException(PostriderError.NoListener, $"There is no topic '{topic}' on transport '{KafkaTransport.TransportName}' ({error.Reason}).", cause);
        if (error.Code is ErrorCode.MsgSizeTooLarge or ErrorCode.RecordListTooLarge)
            return new PostriderException(PostriderError.TooLarge, $"Message to '{topic}' with its headers is larger than the topic's max.message.bytes or the transport's limit: {error.Reason}", cause);
        if (error.Code is ErrorCode.InvalidRecord)
            return new PostriderException(PostriderError.Configuration, $"Topic '{topic}' rejects the message ({error.Reason}): a compacted topic only accepts messages with a key.", cause);
        if (IsRejected(error.Code))
            return connection.Rejected(error, cause);
        if (error.Code == ErrorCode.Local_MsgTimedOut && connection.Rejection is { } rejection)
            return connection.Rejected(rejection, cause);
        var stored = status == PersistenceStatus.NotPersisted ? "it was not stored" : "it may have been stored";
        return error.Code is ErrorCode.Local_MsgTimedOut or ErrorCode.Local_TimedOut or ErrorCode.RequestTimedOut
            ? new TimeoutException($"Message to '{topic}' was not confirmed by Kafka at {connection.Servers} within {connection.Options.Retry.SendTimeout}: {stored}.", cause)
            : new KafkaException(new Error(error.Code, $"Message to '{topic}' was not confirmed ({stored}): {error.Reason}"));
    }
}
