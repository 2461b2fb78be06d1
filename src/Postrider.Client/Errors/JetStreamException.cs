namespace Postrider.Client;

/// <summary>JetStream rejected a request or a publish.</summary>
/// <param name="apiCode">The status, as in HTTP: 400, 404, 500, 503.</param>
/// <param name="errorCode">The error code: <see cref="JetStreamErrors"/> lists common ones.</param>
/// <param name="description">The server's text.</param>
/// <param name="operation">The operation, such as <c>STREAM.CREATE.ORDERS</c>.</param>
public sealed class JetStreamException(int apiCode, int errorCode, string description, string operation)
    : NatsClientException(NatsErrorCode.JetStreamError, $"{operation}: {description} (err_code {errorCode}, code {apiCode})")
{
    /// <summary>The status, as in HTTP.</summary>
    public int ApiCode { get; } = apiCode;

    /// <summary>The error code; 0 from servers that send none.</summary>
    public int ErrorCode { get; } = errorCode;

    /// <summary>The server's text.</summary>
    public string Description { get; } = description;

    /// <summary>The operation.</summary>
    public string Operation { get; } = operation;
}
