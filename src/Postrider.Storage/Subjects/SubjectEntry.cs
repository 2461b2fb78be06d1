using System.Runtime.InteropServices;

namespace Postrider.Storage.Subjects;

/// <summary>One subject in a <see cref="SubjectTable"/>: 32 bytes.</summary>
[StructLayout(LayoutKind.Sequential)]
internal struct SubjectEntry
{
    /// <summary>Where its bytes begin.</summary>
    public uint KeyOffset;

    /// <summary>How many bytes.</summary>
    public ushort KeyLength;

    /// <summary>True when the oldest message was removed: <see cref="First"/> is then only a lower bound.</summary>
    public bool FirstIsBound;

    /// <summary>Messages with this subject.</summary>
    public long Count;

    /// <summary>Sequence of the oldest message, see <see cref="FirstIsBound"/>.</summary>
    public ulong First;

    /// <summary>Sequence of the newest message.</summary>
    public ulong Last;
}
