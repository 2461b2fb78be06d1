using System.CommandLine;
using System.CommandLine.Parsing;
using System.Globalization;

namespace Postrider.CommandLine.Terminal;

/// <summary>Whole numbers on the command line with a minimum.</summary>
internal static class Number
{
    /// <summary>Rejects a value that is not a whole number, is less than <paramref name="min"/>, or exceeds the range of its type.</summary>
    internal static Option<T> AtLeast<T>(this Option<T> option, long min) => option.Between(min, long.MaxValue);

    /// <summary>The same with a maximum.</summary>
    internal static Option<T> Between<T>(this Option<T> option, long min, long max)
    {
        option.Validators.Add(result => Check<T>(result, option.Name, result.Tokens, min, max));
        return option;
    }

    /// <summary>The same for an argument.</summary>
    internal static Argument<T> AtLeast<T>(this Argument<T> argument, long min)
    {
        argument.Validators.Add(result => Check<T>(result, argument.Name, result.Tokens, min, long.MaxValue));
        return argument;
    }

    private static void Check<T>(SymbolResult result, string name, IReadOnlyList<Token> tokens, long min, long limit)
    {
        // Both types are compared by name: when typeof(int) is compared with the result of Nullable.GetUnderlyingType, the native compiler
        // (10.0.12) considers the equal branch unreachable and leaves a jump to itself there.
        var max = Math.Min(limit, typeof(T) == typeof(int) || typeof(T) == typeof(int?) ? int.MaxValue : long.MaxValue);
        foreach (var token in tokens)
        {
            if (!Int128.TryParse(token.Value, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out var number))
                result.AddError($"'{token.Value}' is not a whole number for {name}.");
            else if (number < min)
                result.AddError($"{name} must be at least {min}.");
            else if (number > max)
                result.AddError($"{name} must be at most {max}.");
        }
    }
}
