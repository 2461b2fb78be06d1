namespace Postrider.Rpc.Server.OpenApi;

/// <summary>What an OpenAPI document says besides the operations.</summary>
public sealed class OpenApiOptions
{
    /// <summary>The document's title; null for the services' names.</summary>
    public string? Title { get; init; }

    /// <summary>The document's version; null for the first service's.</summary>
    public string? Version { get; init; }

    /// <summary>What stands before <c>/service/operation</c>: the group in which the services are mapped, <c>/api</c> for example.</summary>
    public string Prefix { get; init; } = "";
}
