using System.CommandLine;
using System.CommandLine.Parsing;
using System.Globalization;

namespace Postrider.CommandLine.Terminal;

/// <summary>Whole numbers on the command line with a least value.</summary>
internal static class Number
{
    /// <summary>Refuses what is no whole number, less than <paramref name="min"/>, or more than its kind can be.</summary>
    internal static Option<T> AtLeast<T>(this Option<T> option, long min)
    {
        option.Validators.Add(result => Check<T>(result, option.Name, result.Tokens, min));
        return option;
    }

    /// <summary>The same for an argument.</summary>
    internal static Argument<T> AtLeast<T>(this Argument<T> argument, long min)
    {
        argument.Validators.Add(result => Check<T>(result, argument.Name, result.Tokens, min));
        return argument;
    }

    private static void Check<T>(SymbolResult result, string name, IReadOnlyList<Token> tokens, long min)
    {
        // Both types by name: where typeof(int) is compared with what Nullable.GetUnderlyingType returns, the native compiler
        // (10.0.12) takes the branch of equals for unreachable and leaves a jump to itself there.
        var max = typeof(T) == typeof(int) || typeof(T) == typeof(int?) ? int.MaxValue : long.MaxValue;
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
