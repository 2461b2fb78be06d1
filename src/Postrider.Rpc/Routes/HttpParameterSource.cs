namespace Postrider.Rpc;

/// <summary>The part of a request that contains a parameter.</summary>
public enum HttpParameterSource
{
    /// <summary>The path.</summary>
    Path,

    /// <summary>The query string.</summary>
    Query,

    /// <summary>A header.</summary>
    Header,
}
