namespace Postrider.Rpc;

/// <summary>The path, query and headers of a request, read by a server.</summary>
public abstract class HttpRequestValues
{
    /// <summary>Counts the values of a name.</summary>
    /// <param name="source">The source of the parameter.</param>
    /// <param name="name">The name, case-insensitive.</param>
    /// <returns>The count; 0 if the name is missing.</returns>
    public abstract int Count(HttpParameterSource source, string name);

    /// <summary>Gets a value of an existing name.</summary>
    /// <param name="source">The source of the parameter.</param>
    /// <param name="name">The name, case-insensitive.</param>
    /// <param name="at">The index of the value.</param>
    /// <returns>The value, not escaped.</returns>
    public abstract string Get(HttpParameterSource source, string name, int at);
}
