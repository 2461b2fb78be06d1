using System.Globalization;

namespace Postrider.Client.Services;

/// <summary>The errors of services, as headers of a reply. Source: NATS ADR-32.</summary>
public static class ServiceErrors
{
    /// <summary>The header with the description.</summary>
    public const string Header = "Nats-Service-Error";

    /// <summary>The header with the code.</summary>
    public const string CodeHeader = "Nats-Service-Error-Code";

    /// <summary>The code of a failure for which the service did not set one.</summary>
    public const int InternalError = 500;

    /// <summary>Throws if a reply is an error of the service.</summary>
    /// <typeparam name="T">The reply's type.</typeparam>
    /// <param name="reply">A reply.</param>
    /// <returns>The reply.</returns>
    /// <exception cref="NatsServiceException">The service replied with an error.</exception>
    public static NatsMessage<T> OrThrow<T>(this NatsMessage<T> reply)
    {
        if (reply.Headers is not { } headers || (headers[CodeHeader] ?? headers[Header]) is null) return reply;
        var code = int.TryParse(headers[CodeHeader], NumberStyles.Integer, CultureInfo.InvariantCulture, out var number) ? number : InternalError;
        throw new NatsServiceException(code, headers[Header] ?? "");
    }

    internal static NatsHeaders ToHeaders(int code, string description) => new()
    {
        [Header] = description.ReplaceLineEndings(" "),
        [CodeHeader] = code.ToString(CultureInfo.InvariantCulture),
    };
}
