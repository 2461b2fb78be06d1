using System.ComponentModel;
using System.Globalization;

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

    /// <exception cref="PostriderException"><see cref="PostriderError.Refused"/>: the message has no id, or one that is too long.</exception>
    internal static string Checked(string? id, Type message, string saga)
    {
        if (string.IsNullOrEmpty(id))
            throw new PostriderException(PostriderError.Refused, $"The {message} has no id of a saga '{saga}': it must not be empty.");
        if (id.Length > MaxChars)
            throw new PostriderException(PostriderError.Refused, $"The {message} has an id of a saga '{saga}' with {id.Length} characters; at most {MaxChars} are allowed.");
        if (id.Contains('\0', StringComparison.Ordinal))
            throw new PostriderException(PostriderError.Refused, $"The {message} has an id of a saga '{saga}' with a NUL, which stores do not keep.");
        return id;
    }
}
