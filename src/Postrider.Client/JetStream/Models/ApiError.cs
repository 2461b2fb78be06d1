using System.Text.Json.Serialization;

namespace Postrider.Client.JetStream.Models;

/// <summary>An error of the JetStream API.</summary>
/// <param name="Code">The status, as in HTTP.</param>
/// <param name="ErrorCode">The error code, 10000 and above; 0 from servers that send none.</param>
/// <param name="Description">The server's text.</param>
public sealed record ApiError(
    [property: JsonPropertyName("code")] int Code,
    [property: JsonPropertyName("err_code")] int ErrorCode,
    [property: JsonPropertyName("description")] string? Description);
