namespace Postrider.Client;

/// <summary>JetStream refused a request or a publish.</summary>
/// <param name="apiCode">As of HTTP: 400, 404, 500, 503.</param>
/// <param name="errorCode">The error's own number: <see cref="JetStreamErrors"/> names those that programs decide by.</param>
/// <param name="description">The server's text.</param>
/// <param name="operation">What was asked, such as <c>STREAM.CREATE.ORDERS</c>.</param>
public sealed class JetStreamException(int apiCode, int errorCode, string description, string operation)
    : NatsClientException(NatsErrorCode.JetStreamError, $"{operation}: {description} (err_code {errorCode}, code {apiCode})")
{
    /// <summary>As of HTTP.</summary>
    public int ApiCode { get; } = apiCode;

    /// <summary>The error's own number; 0 from servers that give none.</summary>
    public int ErrorCode { get; } = errorCode;

    /// <summary>The server's text.</summary>
    public string Description { get; } = description;

    /// <summary>What was asked.</summary>
    public string Operation { get; } = operation;
}
