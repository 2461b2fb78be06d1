using System.CommandLine;
using System.CommandLine.Parsing;
using System.Text;
using Postrider.Wire.Frames;

namespace Postrider.CommandLine.Terminal;

/// <summary>Subjects on the command line, checked before anything is sent.</summary>
internal static class SubjectArgument
{
    private const string NoLiteral = "is not a valid subject to publish to: the tokens between dots must not be empty, contain spaces or be wildcards.";
    private const string NoPattern = "is not a valid subject: the tokens between dots must not be empty or contain spaces, and > must be the last one.";

    /// <summary>A subject to publish to: no wildcards.</summary>
    internal static Argument<string> Literal(string description)
        => Create(description, NoLiteral, static bytes => Subject.IsLiteral(bytes));

    /// <summary>A subject to publish to that may have functions.</summary>
    internal static Argument<string> Template(string description)
        => Create(description, NoLiteral, static bytes => Subject.IsLiteral(Encoding.UTF8.GetBytes(MessageTemplate.Replace(Encoding.UTF8.GetString(bytes), "x"))));

    /// <summary>A subject of dead letters: they are stored under one subject for each binding.</summary>
    internal static Argument<string> DeadLetters(string description)
        => Create(description, "is not the subject of a binding's dead letters, which has no wildcards. Name one; postrider request postrider.deadletters.sources '' lists those that applications offer.", static bytes => Subject.IsLiteral(bytes));

    /// <summary>A subject to listen to.</summary>
    internal static Argument<string> Pattern(string description)
        => Create(description, NoPattern, static bytes => Subject.IsValid(bytes));

    /// <summary>Subjects to listen to.</summary>
    internal static Argument<string[]> Patterns(string description)
    {
        var argument = new Argument<string[]>("subject") { Description = description, Arity = ArgumentArity.OneOrMore };
        argument.Validators.Add(static result => Check(result, NoPattern, static bytes => Subject.IsValid(bytes)));
        return argument;
    }

    /// <summary>A subject that selects; it may be omitted.</summary>
    internal static Argument<string?> Filter(string description)
    {
        var argument = new Argument<string?>("filter") { Description = description, Arity = ArgumentArity.ZeroOrOne };
        argument.Validators.Add(static result => Check(result, NoPattern, static bytes => Subject.IsValid(bytes)));
        return argument;
    }

    /// <summary>Rejects values that are not subjects to subscribe to, or to publish to; several are separated by commas.</summary>
    internal static Option<T> Subjects<T>(this Option<T> option, bool isLiteral = false)
    {
        option.Validators.Add(result =>
        {
            foreach (var subject in result.Tokens.SelectMany(static token => token.Value.Split(',', StringSplitOptions.TrimEntries)))
            {
                var bytes = Encoding.UTF8.GetBytes(subject);
                if (isLiteral ? !Subject.IsLiteral(bytes) : !Subject.IsValid(bytes))
                    result.AddError($"'{subject}' {(isLiteral ? NoLiteral : NoPattern)}");
            }
        });
        return option;
    }

    private static Argument<string> Create(string description, string problem, Func<byte[], bool> isValid)
    {
        var argument = new Argument<string>("subject") { Description = description };
        argument.Validators.Add(result => Check(result, problem, isValid));
        return argument;
    }

    private static void Check(ArgumentResult result, string problem, Func<byte[], bool> isValid)
    {
        foreach (var token in result.Tokens)
            if (!isValid(Encoding.UTF8.GetBytes(token.Value)))
                result.AddError($"'{token.Value}' {problem}");
    }
}
