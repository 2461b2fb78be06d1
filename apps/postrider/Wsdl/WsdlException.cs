namespace Postrider.CommandLine.Wsdl;

/// <summary>A description that cannot be read or has no place in a contract: a line for each fault, each with its file and line.</summary>
internal sealed class WsdlException(IReadOnlyList<string> problems) : Exception(string.Join('\n', problems))
{
    internal WsdlException(string problem)
        : this([problem])
    {
    }

    internal IReadOnlyList<string> Problems { get; } = problems;
}
