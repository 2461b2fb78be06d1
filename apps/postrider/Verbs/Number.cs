using System.CommandLine;
using System.Globalization;

namespace Postrider.CommandLine.Verbs;

/// <summary>Numbers on the command line with a least value.</summary>
internal static class Number
{
    /// <summary>Refuses less than <paramref name="least"/>; what is no number at all is the parser's to refuse.</summary>
    internal static Option<T> AtLeast<T>(this Option<T> option, long least)
        where T : struct
    {
        option.Validators.Add(result =>
        {
            foreach (var token in result.Tokens)
                if (long.TryParse(token.Value, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out var number) && number < least)
                    result.AddError($"{option.Name} must be at least {least}.");
        });
        return option;
    }
}
