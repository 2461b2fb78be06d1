using System.Net;
using System.Net.Sockets;
using Amazon.Runtime;
using Amazon.SQS.Model;

namespace Postrider.Transport.Aws;

/// <summary>Interprets the errors of the services.</summary>
internal static class AwsErrors
{
    /// <summary>The code of a response that did not come from an AWS service.</summary>
    internal const string NotTheService = "Postrider.NotTheService";

    /// <summary>The name of the transport.</summary>
    internal const string TransportName = "aws";

    private static readonly HashSet<string> s_rejected = new(StringComparer.Ordinal)
    {
        "InvalidClientTokenId", "InvalidAccessKeyId", "UnrecognizedClientException", "SignatureDoesNotMatch", "InvalidSignatureException", "ExpiredToken", "ExpiredTokenException", "InvalidToken",
        "MissingAuthenticationToken", "MissingAuthenticationTokenException", "IncompleteSignature", "IncompleteSignatureException", "OptInRequired", "InvalidSecurity",
        "AccessDenied", "AccessDeniedException", "AuthorizationError", "AuthorizationErrorException", "KmsAccessDenied", "KMSAccessDenied", "KMSAccessDeniedException",
    };

    private static readonly HashSet<string> s_skewed = new(StringComparer.Ordinal) { "RequestExpired", "RequestTimeTooSkewed", "RequestInTheFuture" };

    private static readonly HashSet<string> s_passing = new(StringComparer.Ordinal)
    {
        "RequestThrottled", "Throttling", "ThrottlingException", "ThrottledException", "TooManyRequestsException", "RequestLimitExceeded", "SlowDown", "KmsThrottled", "KMSThrottling", "KMSThrottlingException",
        "InternalFailure", "InternalError", "InternalErrorException", "InternalException", "ServiceUnavailable", "ServiceUnavailableException", "QueueDeletedRecently", "AWS.SimpleQueueService.QueueDeletedRecently",
    };

    /// <summary>Whether the same request may succeed later.</summary>
    internal static bool IsPassing(Exception error) => error switch
    {
        // The SDK's exception for an HTML page instead of a response.
        AmazonUnmarshallingException => true,
        AmazonServiceException { StatusCode: >= HttpStatusCode.InternalServerError or HttpStatusCode.TooManyRequests or HttpStatusCode.RequestTimeout } => true,
        AmazonServiceException service => s_passing.Contains(Code(service)) || service is QueueDeletedRecentlyException or RequestThrottledException,
        TimeoutException or HttpRequestException or IOException or SocketException => true,
        // The SDK wraps exceptions of its HTTP client.
        AmazonClientException { InnerException: { } inner } => IsPassing(inner),
        _ => false,
    };

    /// <summary>Whether the service rejects the credentials or their permissions.</summary>
    internal static bool IsRejected(Exception error) => error switch
    {
        AmazonServiceException service => s_rejected.Contains(Code(service)),
        // There are no credentials.
        AmazonClientException client => !IsPassing(client),
        _ => false,
    };

    /// <summary>Whether the account is known but lacks the permission.</summary>
    internal static bool IsDenied(Exception error) => error is AmazonServiceException service && (Code(service).Contains("Denied", StringComparison.Ordinal) || Code(service).StartsWith("Authorization", StringComparison.Ordinal));

    /// <summary>Whether the clocks differ too much.</summary>
    internal static bool IsSkew(Exception error)
        => error is AmazonServiceException service
            && (s_skewed.Contains(Code(service))
                || (Code(service) is "SignatureDoesNotMatch" or "InvalidSignatureException" && (service.Message.Contains("Signature expired", StringComparison.OrdinalIgnoreCase) || service.Message.Contains("not yet current", StringComparison.OrdinalIgnoreCase))));

    /// <summary>Whether a queue, a topic, a bus, a rule or a subscription does not exist.</summary>
    internal static bool IsMissing(Exception error)
        => error is QueueDoesNotExistException
            || (error is AmazonServiceException service && Code(service) is "AWS.SimpleQueueService.NonExistentQueue" or "QueueDoesNotExist" or "NotFound" or "NotFoundException" or "ResourceNotFoundException");

    /// <summary>Whether a message is no longer kept for this receiver.</summary>
    internal static bool IsLeaseLost(Exception error)
        => error is ReceiptHandleIsInvalidException or MessageNotInflightException
            || (error is AmazonServiceException service && Code(service) is "ReceiptHandleIsInvalid" or "MessageNotInflight" or "AWS.SimpleQueueService.MessageNotInflight" or "InvalidParameterValue");

    /// <summary>The error of one item of a batch.</summary>
    internal static AmazonServiceException OfItem(string? code, string? message, bool isSenders)
        => new(message ?? code ?? "The service gave no reason.", isSenders ? ErrorType.Sender : ErrorType.Receiver, code ?? "InternalFailure", null, isSenders ? HttpStatusCode.BadRequest : HttpStatusCode.InternalServerError);

    /// <summary>Converts an error to an exception that describes the solution.</summary>
    /// <param name="error">The error.</param>
    /// <param name="destination">The queue, topic or bus of the request.</param>
    /// <param name="service">The service, as text.</param>
    internal static Exception Translate(Exception error, string destination, string service)
    {
        if (error is PostriderException or OperationCanceledException or ObjectDisposedException)
            return error;
        var text = error.Message.Trim().TrimEnd('.');
        if (IsMissing(error))
            return new PostriderException(PostriderError.NoListener, $"There is no '{destination}' on transport '{TransportName}' ({text}).", error);
        if (IsSkew(error))
            return new PostriderException(PostriderError.Configuration, $"{service} rejects the request to '{destination}' because of its time ({text}): set the clock of this machine.", error);
        if (IsDenied(error))
            return new PostriderException(PostriderError.Configuration, $"The account may not use '{destination}' at {service} ({text}): grant it the permission.", error);
        if (IsRejected(error))
            return new PostriderException(PostriderError.Configuration, $"{service} rejects the credentials ({text}): check AccessKey, SecretKey and SessionToken, or the credentials that the SDK finds.", error);
        if (error is AmazonServiceException large && (Code(large) is "BatchRequestTooLong" or "AWS.SimpleQueueService.BatchRequestTooLong" || text.Contains("bytes long", StringComparison.OrdinalIgnoreCase) || text.Contains("too long", StringComparison.OrdinalIgnoreCase) || text.Contains("must be shorter", StringComparison.OrdinalIgnoreCase)))
            return new PostriderException(PostriderError.TooLarge, $"Message to '{destination}' exceeds the limit of {service}: {text}.", error);
        if (IsPassing(error))
            return new TimeoutException($"{service} did not confirm the request to '{destination}': {text}. It may have been carried out.", error);
        return new PostriderException(PostriderError.Configuration, $"{service} rejects the request to '{destination}': {text}.", error);
    }

    private static string Code(AmazonServiceException error) => error.ErrorCode ?? "";
}
