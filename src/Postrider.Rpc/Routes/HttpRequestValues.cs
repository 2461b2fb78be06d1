namespace Postrider.Rpc;

/// <summary>A request's path, query and headers, as a server has them.</summary>
public abstract class HttpRequestValues
{
    /// <summary>How many values a name has.</summary>
    /// <param name="place">Where.</param>
    /// <param name="name">The name; its case does not matter.</param>
    /// <returns>The count, 0 when the name is not there.</returns>
    public abstract int Count(HttpParameterSource place, string name);

    /// <summary>A value of a name that is there.</summary>
    /// <param name="place">Where.</param>
    /// <param name="name">The name; its case does not matter.</param>
    /// <param name="at">Which of its values.</param>
    /// <returns>The value, without escapes.</returns>
    public abstract string Get(HttpParameterSource place, string name, int at);
}
