namespace Postrider.Rpc;

/// <summary>Where a parameter stands in a request.</summary>
public enum HttpParameterSource
{
    /// <summary>In the path.</summary>
    Path,

    /// <summary>In the query.</summary>
    Query,

    /// <summary>In a header.</summary>
    Header,
}
