using Amazon.Runtime;

namespace Postrider.Transport.Aws;

/// <summary>Options of an <see cref="AwsTransport"/>: region, credentials, kind of the queues, and four profiles whose effective values are
/// logged when the transport is first used.</summary>
public sealed record AwsOptions
{
    /// <summary>The region, for example <c>eu-central-1</c>. Null for that of the environment (<c>AWS_REGION</c>) or of the SDK's
    /// profile.</summary>
    public string? Region { get; set; }

    /// <summary>The address of another service with the same protocols, for example <c>http://localhost:4566</c>, for all of SQS, SNS,
    /// EventBridge and STS. Null for AWS.</summary>
    public Uri? Endpoint { get; set; }

    /// <summary>The account that owns queues and topics: twelve digits. If null, the service is asked for the account of the credentials when a topic
    /// or a topology needs it.</summary>
    public string? AccountId { get; set; }

    /// <summary>The id of an access key, together with <see cref="SecretKey"/>. Null for <see cref="Credentials"/>, or those that the SDK finds:
    /// environment, profile, container, instance.</summary>
    public string? AccessKey { get; set; }

    /// <summary>The secret of the access key.</summary>
    public string? SecretKey { get; set; }

    /// <summary>The session token of a temporary access key; null for a permanent one.</summary>
    public string? SessionToken { get; set; }

    /// <summary>Credentials of the SDK's types, which may renew themselves; null for <see cref="AccessKey"/> or those that the SDK finds. They
    /// are requested before each request.</summary>
    public AWSCredentials? Credentials { get; set; }

    /// <summary>The kind of the queues and topics; <see cref="AwsQueueType.Standard"/> by default. An application with both kinds adds two
    /// transports.</summary>
    public AwsQueueType QueueType { get; set; }

    /// <summary>The <c>source</c> of the events that are sent to EventBridge. <c>postrider</c> by default.</summary>
    public string EventSource { get; set; } = "postrider";

    /// <summary>How messages are collected into requests, and how queues are polled.</summary>
    public AwsThroughput Throughput { get; set; } = new();

    /// <summary>How often a request is repeated.</summary>
    public AwsRetry Retry { get; set; } = new();

    /// <summary>Limits that protect the service and the receivers from messages that cannot be handled.</summary>
    public AwsPoison Poison { get; set; } = new();

    /// <summary>What is logged and probed.</summary>
    public AwsObservability Observability { get; set; } = new();

    /// <summary>Uses the credentials that a function returns; it is called before each request, so that a rotated key is used from the next
    /// request on.</summary>
    /// <param name="current">Returns the currently valid credentials immediately: from a file that another process writes, or from a cache
    /// that is renewed in the background. Called concurrently.</param>
    /// <returns>These options.</returns>
    public AwsOptions UseCredentials(Func<ImmutableCredentials> current)
    {
        ArgumentNullException.ThrowIfNull(current);
        Credentials = new CallbackCredentials(current);
        return this;
    }

    // The record's default text would contain the secret.
    private bool PrintMembers(System.Text.StringBuilder text)
    {
        text.Append(System.Globalization.CultureInfo.InvariantCulture, $"Region = {Region}, Endpoint = {Endpoint}, AccessKey = {AccessKey}, QueueType = {QueueType}");
        return true;
    }
}
