namespace Postrider.CommandLine.Wsdl;

/// <summary>A description that cannot be read or expressed as a contract: a line for each error, with its file and line.</summary>
internal sealed class WsdlException(IReadOnlyList<string> problems) : Exception(string.Join('\n', problems))
{
    internal WsdlException(string problem)
        : this([problem])
    {
    }

    internal IReadOnlyList<string> Problems { get; } = problems;
}
