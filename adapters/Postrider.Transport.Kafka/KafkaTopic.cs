namespace Postrider.Transport.Kafka;

/// <summary>Names of topics.</summary>
internal static class KafkaTopic
{
    private const int MaxLength = 249;

    /// <summary>The error in a name; null for none.</summary>
    internal static string? Problem(string name) => name switch
    {
        "" => "it is empty",
        "." or ".." => $"'{name}' is not a name",
        { Length: > MaxLength } => $"it has {name.Length} characters, and {MaxLength} are allowed",
        _ when name.FirstOrDefault(static letter => !(char.IsAsciiLetterOrDigit(letter) || letter is '.' or '_' or '-')) is var bad && bad != default
            => $"it contains '{bad}', and only ASCII letters, digits, '.', '_' and '-' are allowed",
        _ => null,
    };

    /// <exception cref="PostriderException"><see cref="PostriderError.Configuration"/>: it is not the name of a topic.</exception>
    internal static string Check(string name)
        => Problem(name) is { } problem ? throw new PostriderException(PostriderError.Configuration, $"The topic '{(name.Length > 64 ? $"{name[..64]}…" : name)}' is not valid: {problem}.") : name;
}
