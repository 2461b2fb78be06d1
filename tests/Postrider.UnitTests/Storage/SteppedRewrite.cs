using Postrider.Storage;
using Postrider.Storage.Faults;

namespace Postrider.UnitTests.Storage;

/// <summary>Rewrites blocks of a store in the steps of a stream, which does other work between them.</summary>
internal sealed class SteppedRewrite
{
    private readonly FileStore _store;
    private BlockRewrite? _rewrite;
    private int _step;

    public SteppedRewrite(FileStore store)
    {
        _store = store;
        store.Compactor.RewriteDue = () => IsDue = true;
    }

    /// <summary>The number of rewrites that came to their end.</summary>
    public int Finished { get; private set; }

    /// <summary>Whether a block waits.</summary>
    public bool IsDue { get; private set; }

    /// <summary>Whether a rewrite has begun and not ended.</summary>
    public bool IsRunning => _rewrite is not null;

    /// <summary>The next step. Everything is committed.</summary>
    public void Step()
    {
        if (_rewrite is null)
        {
            if (!IsDue) return;
            _rewrite = _store.Compactor.BeginRewrite();
            IsDue = _rewrite is not null;
            _step = 0;
            return;
        }

        switch (_step++)
        {
            case 0:
                Assert.True(_rewrite.TryCopy());
                break;
            case 1:
                Assert.True(_rewrite.TryRepeatRemovals());
                break;
            case 2:
                Assert.True(_store.SyncConcurrently());
                break;
            default:
                Assert.True(_store.TryWrite("replace a block", _rewrite.Finish));
                _rewrite = null;
                Finished++;
                break;
        }
    }

    /// <summary>All steps until no block waits.</summary>
    public void Run()
    {
        do
        {
            Assert.Equal(StoreStatus.Ok, _store.Commit());
            Step();
        }
        while (IsRunning || IsDue);
    }
}
