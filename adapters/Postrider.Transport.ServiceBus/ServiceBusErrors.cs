using System.Net.Sockets;
using System.Security.Authentication;
using Amqp;
using Amqp.Framing;

namespace Postrider.Transport.ServiceBus;

/// <summary>Sorts AMQP's and the service's errors.</summary>
internal static class ServiceBusErrors
{
    internal const string Busy = "com.microsoft:server-busy";
    internal const string Timeout = "com.microsoft:timeout";
    internal const string MessageLockLost = "com.microsoft:message-lock-lost";
    internal const string SessionLockLost = "com.microsoft:session-lock-lost";
    internal const string SessionCannotBeLocked = "com.microsoft:session-cannot-be-locked";
    internal const string MessageNotFound = "com.microsoft:message-not-found";

    internal static string? ConditionOf(Exception failure) => failure is AmqpException { Error.Condition: { } condition } ? (string)condition : null;

    /// <summary>Whether the link, the connection or the response was lost, or the service is busy, so that another attempt may succeed.</summary>
    internal static bool IsLost(Exception failure) => failure switch
    {
        AmqpException known => ConditionOf(known) is not (ErrorCode.NotFound or ErrorCode.UnauthorizedAccess or ErrorCode.MessageSizeExceeded or ErrorCode.ResourceLimitExceeded
            or ErrorCode.NotAllowed or ErrorCode.InvalidField or ErrorCode.NotImplemented or "com.microsoft:entity-disabled" or "com.microsoft:argument-error" or "com.microsoft:argument-out-of-range"),
        SocketException or IOException or TimeoutException or OperationCanceledException => true,
        ObjectDisposedException gone => gone.ObjectName != typeof(ServiceBusTransport).FullName,
        _ => false,
    };

    /// <summary>The error as an exception that names the solution; the same one if another attempt may succeed.</summary>
    /// <param name="failure">The exception of AMQPNetLite.</param>
    /// <param name="entity">The queue, topic or subscription.</param>
    /// <param name="server">The namespace.</param>
    internal static Exception Translate(Exception failure, string entity, string server)
    {
        var told = failure is AmqpException known ? known.Error?.Description ?? known.Message : failure.Message;
        return ConditionOf(failure) switch
        {
            ErrorCode.NotFound => new PostriderException(PostriderError.NoListener, $"There is no queue, topic or subscription '{entity}' on transport '{ServiceBusTransport.TransportName}' at {server}: {told}", failure),
            ErrorCode.UnauthorizedAccess => new PostriderException(PostriderError.Configuration, $"Service Bus at {server} rejects the credentials for '{entity}': {told} Check the key, its name and its rights to send and to listen.", failure),
            ErrorCode.MessageSizeExceeded => new PostriderException(PostriderError.TooLarge, $"Message to '{entity}' with its headers is larger than Service Bus at {server} accepts: {told}", failure),
            ErrorCode.ResourceLimitExceeded => new PostriderException(PostriderError.QueueFull, $"'{entity}' accepts no more messages or links: {told}", failure),
            "com.microsoft:entity-disabled" => new PostriderException(PostriderError.Configuration, $"'{entity}' at {server} is disabled: {told} Enable it.", failure),
            ErrorCode.NotAllowed or ErrorCode.InvalidField or ErrorCode.NotImplemented or "com.microsoft:argument-error" or "com.microsoft:argument-out-of-range"
                => new PostriderException(PostriderError.Configuration, $"Service Bus at {server} rejects this for '{entity}': {told} A source with sessions only accepts messages with a key and is bound with {nameof(ServiceBusBinding.Sessions)}.", failure),
            _ => failure,
        };
    }

    /// <summary>Why the connection was not opened.</summary>
    internal static Exception OfConnection(Exception failure, string server) => failure switch
    {
        AuthenticationException => new PostriderException(PostriderError.Configuration, $"The certificate of {server} is not trusted: {failure.Message} Set ServiceBusOptions.CaFile to the authority that signed it.", failure),
        AmqpException { Error.Condition: { } condition } when string.Equals(condition, ErrorCode.UnauthorizedAccess, StringComparison.Ordinal) => new PostriderException(PostriderError.Configuration, $"Service Bus at {server} rejects the connection: {failure.Message}", failure),
        _ => failure,
    };
}
