namespace Postrider.Flow.Pumps;

/// <summary>What a pump does after it searched for work.</summary>
internal enum PumpTurn
{
    /// <summary>Run the chunk.</summary>
    Run,

    /// <summary>Search again.</summary>
    Again,

    /// <summary>Return: slot and reference are gone.</summary>
    Left,
}
