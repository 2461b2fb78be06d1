using System.CommandLine;

namespace Postrider.CommandLine.Terminal;

/// <summary>Options with a fixed set of values.</summary>
internal static class Choice
{
    /// <summary>Rejects unknown values and lists the valid ones.</summary>
    internal static Option<TEnum?> OneOf<TEnum>(this Option<TEnum?> option)
        where TEnum : struct, Enum
    {
        option.CustomParser = argument =>
        {
            var word = argument.Tokens[0].Value;
            if (Enum.TryParse<TEnum>(word, ignoreCase: true, out var value) && Enum.IsDefined(value) && char.IsLetter(word[0]))
                return value;
            argument.AddError($"'{word}' is not a valid value of {option.Name}. Values: {string.Join(", ", Enum.GetNames<TEnum>().Select(Lower))}.");
            return null;
        };
        return option;
    }

    /// <summary>The same for words that are not an enumeration's.</summary>
    internal static Option<string> OneOf(this Option<string> option, params string[] words)
    {
        option.Validators.Add(result =>
        {
            foreach (var token in result.Tokens)
                if (!words.Contains(token.Value, StringComparer.Ordinal)) result.AddError($"'{token.Value}' is not a valid value of {option.Name}. Values: {string.Join(", ", words)}.");
        });
        option.CompletionSources.Add(words);
        return option;
    }

    private static string Lower(string name) => char.ToLowerInvariant(name[0]) + name[1..];
}
