using System.Text.Json.Serialization;

namespace Postrider.Broker.JetStream.Model;

/// <summary>One error of the JetStream API.</summary>
/// <param name="Code">A status like HTTP's: 400, 404, 500, 503 and so on.</param>
/// <param name="ErrorCode">The error's own code: 10002 and up.</param>
/// <param name="Description">nats-server's text; parts in braces are to be filled in.</param>
internal sealed record ApiError(
    [property: JsonPropertyName("code")] int Code,
    [property: JsonPropertyName("err_code")] int ErrorCode,
    [property: JsonPropertyName("description")] string Description)
{
    /// <summary>Fills in one part of the description.</summary>
    /// <param name="part">Its name, without braces.</param>
    /// <param name="value">The text to fill in.</param>
    public ApiError With(string part, string value)
        => this with { Description = Description.Replace($"{{{part}}}", value, StringComparison.Ordinal) };
}
