using System.ComponentModel;
using System.Globalization;
using Postrider.Middleware;

namespace Postrider.Sagas;

/// <summary>Ids of sagas as text. For generated code.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class SagaIds
{
    internal const int MaxChars = 200;

    /// <summary>A text is an id as it is.</summary>
    /// <param name="id">The id.</param>
    /// <returns>The text.</returns>
    public static string? Of(string? id) => id;

    /// <summary>A number, a <see cref="Guid"/> or the like is an id in its invariant format.</summary>
    /// <typeparam name="T">The type.</typeparam>
    /// <param name="id">The id.</param>
    /// <returns>The text.</returns>
    public static string? Of<T>(T id)
        where T : IFormattable
        => id?.ToString(null, CultureInfo.InvariantCulture);

    /// <exception cref="InvalidMessageException">The message has no id, or one that is too long.</exception>
    internal static string Checked(string? id, Type message, string saga)
    {
        if (string.IsNullOrEmpty(id))
            throw Invalid(message, $"The id of its saga '{saga}' is missing or empty.");
        if (id.Length > MaxChars)
            throw Invalid(message, $"The id of its saga '{saga}' has {id.Length} characters; at most {MaxChars} are allowed.");
        if (id.Contains('\0', StringComparison.Ordinal))
            throw Invalid(message, $"The id of its saga '{saga}' contains a NUL, which stores do not keep.");
        return id;
    }

    private static InvalidMessageException Invalid(Type message, string text) => new(message, [new(Member: "", text)]);
}
